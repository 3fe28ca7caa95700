/** Exports of the HTTP layer. */

export type { SignedIn, SignIn, SignInAnswer, SignInRequest } from './routes/sign-in.ts';
export { createHttpServer, type HttpServer, type HttpServerOptions } from './server.ts';
