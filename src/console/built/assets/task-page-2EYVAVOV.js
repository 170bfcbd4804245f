import{c as o,d as T,g as a,k as e}from"./chunk-N3BFTNR2.js";T();var k=o(a(),1);function t(){return e("Task"),(0,k.jsx)("h1",{children:"Task"})}export{t as TaskPage};
