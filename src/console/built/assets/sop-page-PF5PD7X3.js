import{c as e,d as o,g as r,k as u}from"./chunk-N3BFTNR2.js";o();var p=e(r(),1);function c(){return u("Procedure"),(0,p.jsx)("h1",{children:"Procedure"})}export{c as SopPage};
