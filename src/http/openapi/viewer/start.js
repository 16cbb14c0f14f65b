/** Runs in the browser: shows the interface of the server that the page came from. Keys that are typed in stay in this page's memory. */
window.SwaggerUIBundle({
  url: "/openapi/json",
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  // It would be asked whether the document is right, at an address elsewhere.
  validatorUrl: "none",
});
