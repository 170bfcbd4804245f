import{c as e,d as r,g as o,k as s}from"./chunk-N3BFTNR2.js";r();var t=e(o(),1);function f(){return s("Servers"),(0,t.jsx)("h1",{children:"Servers"})}export{f as ServersPage};
