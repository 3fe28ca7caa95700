/** The yardstick of the load bench: Fastify that answers each body with itself, and does nothing else. */
import fastify from 'fastify';

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/v0/cypher', (request, reply) => void reply.header('content-type', 'application/json').send(request.body));
process.stdout.write(`echo is listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
