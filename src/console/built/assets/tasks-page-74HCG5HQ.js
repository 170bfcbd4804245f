import{c as s,d as o,g as T,k as a}from"./chunk-N3BFTNR2.js";o();var e=s(T(),1);function t(){return a("Tasks"),(0,e.jsx)("h1",{children:"Tasks"})}export{t as TasksPage};
