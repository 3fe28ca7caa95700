/** The door of the HTTP layer. */
export { encodeKeys, encodeResult, encodeRow } from './result-json.ts';
export { createHttpServer, type HttpServer } from './server.ts';
