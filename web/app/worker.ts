// The shell of the pages is kept on the device, so that there is a page to show while the home cannot be reached.
if ("serviceWorker" in navigator && window.isSecureContext) {
  navigator.serviceWorker.register("/sw.js").catch(() => { /* everything works without it */ });
}
