declare module "htmx-ext-sse";
