import{c as p,d as o,g as r,k as l}from"./chunk-N3BFTNR2.js";o();var a=p(r(),1);function v(){return l("Approval"),(0,a.jsx)("h1",{children:"Approval"})}export{v as ApprovalPage};
