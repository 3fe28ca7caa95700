/** Exports of the HTTP layer. */
export { createHttpServer, type HttpServer, type HttpServerOptions } from './server.ts';
