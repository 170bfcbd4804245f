import{c as r,d as o,g as c,k as e}from"./chunk-N3BFTNR2.js";o();var a=r(c(),1);function S(){return e("Scorecard"),(0,a.jsx)("h1",{children:"Scorecard"})}export{S as ScorecardPage};
