/** The door of the HTTP layer. */
export { createHttpServer, type HttpServer } from './server.ts';
