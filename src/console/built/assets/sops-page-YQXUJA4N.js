import{c as e,d as o,g as r,k as u}from"./chunk-N3BFTNR2.js";o();var p=e(r(),1);function P(){return u("Procedures"),(0,p.jsx)("h1",{children:"Procedures"})}export{P as SopsPage};
