/**
 * The routing table that answers ROUTE. It names this server only, for what the server does now: one that cannot write
 * is not named as a writer, so that drivers look elsewhere.
 */
import type { EngineStatus } from '../engine/index.ts';
import type { ResultValue } from '../value/index.ts';

const TTL_SECONDS = 300;

/** Returns the routing table of this server. */
export function routingTable(address: string, role: EngineStatus['role'], database: string): Map<string, ResultValue> {
  const roles = role === 'writer' ? ['WRITE', 'READ', 'ROUTE'] : ['READ', 'ROUTE'];
  return new Map<string, ResultValue>([
    ['ttl', TTL_SECONDS],
    ['db', database],
    [
      'servers',
      roles.map(
        (each) =>
          new Map<string, ResultValue>([
            ['addresses', [address]],
            ['role', each],
          ]),
      ),
    ],
  ]);
}
