import{c as e,d as h,g as o,k as T}from"./chunk-N3BFTNR2.js";h();var a=e(o(),1);function t(){return T("Teach"),(0,a.jsx)("h1",{children:"Teach"})}export{t as TeachPage};
