/**
 * GET /v0/metrics: the metrics of the server as Prometheus text, at most a second old. Public: the text holds numbers,
 * no names from data or statements, and no names of namespaces. Admins of every namespace who give their token also get
 * the metrics by namespace. GET /<namespace>/v0/metrics: the metrics of that namespace, for callers that may see it.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { mayEverything } from '../../base/index.ts';
import { cachedAnswer } from '../cached-answer.ts';
import { type HttpContext, requireNamespaces, senderOf, wantedBy } from '../context.ts';

/** The texts of metrics. */
export interface MetricsTexts {
  /** Prometheus text without names of namespaces. */
  text(): Promise<string>;
  /** Prometheus text of the metrics by namespace, which is in the label `namespace`. */
  namespacesText(): Promise<string>;
  /** Prometheus text of the metrics of one namespace, the same whatever others there are. */
  namespaceText(namespace: string): Promise<string>;
}

/** Registers the endpoint of metrics. */
export function registerMetrics(app: FastifyInstance, context: HttpContext, metrics: MetricsTexts): void {
  const ofProcess = cachedAnswer(() => metrics.text());
  const ofNamespaces = cachedAnswer(() => metrics.namespacesText());
  const send = (reply: FastifyReply, text: Buffer | string) =>
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(text);
  app.get('/v0/metrics', { config: { access: 'public unless named', asksCaller: true } }, async (request, reply) => {
    const { namespace, caller } = request;
    if (namespace === null) {
      return send(reply, mayEverything(caller) ? Buffer.concat([await ofProcess(), await ofNamespaces()]) : await ofProcess());
    }
    await requireNamespaces(context).statusOf(wantedBy(request), caller, senderOf(request));
    return send(reply, await metrics.namespaceText(namespace));
  });
}
