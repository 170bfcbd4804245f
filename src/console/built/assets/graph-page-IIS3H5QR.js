import{c as r,d as h,g as p,k as o}from"./chunk-N3BFTNR2.js";h();var a=r(p(),1);function G(){return o("Graph"),(0,a.jsx)("h1",{children:"Graph"})}export{G as GraphPage};
