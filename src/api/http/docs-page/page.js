// Asks for the token, loads /openapi.json with it and shows the document. Nothing can be sent from the page: it is to be read.
const login = document.getElementById("login");
const fault = document.getElementById("fault");

login.addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = document.getElementById("token").value.trim();
  const response = await fetch("/openapi.json", { headers: { authorization: `Bearer ${token}` } });
  const answered = await response.json();
  if (!response.ok) {
    fault.textContent = answered.detail;
    return;
  }
  login.hidden = true;
  globalThis.SwaggerUIBundle({
    spec: answered,
    domNode: document.getElementById("document"),
    supportedSubmitMethods: [],
    validatorUrl: null,
    deepLinking: true,
  });
});
