/** The namespaces of a server that serves one: it is open as long as the server runs. */
import { type Caller, maySee } from '../base/index.ts';
import { type Engine, type EngineStatus, engineFor } from '../engine/index.ts';
import { noNamespace, notForCaller, SYSTEM_DATABASE, USUAL_DATABASE } from './names.ts';
import type { HeldNamespace, Namespaces, Wanted } from './namespaces.ts';

/** Serves the namespace of an engine, which its owner closes. */
export function oneNamespace(engine: Engine): Namespaces {
  const { namespace: own } = engine.status();
  const check = (wanted: Wanted, caller: Caller): void => {
    const name = nameOf(wanted, own);
    if (!maySee(caller, name)) throw notForCaller(name);
    if (name !== own) throw noNamespace(name);
  };
  return {
    hold(wanted, caller): HeldNamespace {
      check(wanted, caller);
      return { engine: engineFor(engine, caller), database: USUAL_DATABASE, isOneOfMany: false, release: () => {} };
    },
    async statusOf(wanted, caller): Promise<EngineStatus> {
      check(wanted, caller);
      return engine.freshStatus();
    },
  };
}

function nameOf(wanted: Wanted, own: string): string {
  if (wanted === null) return own;
  if ('namespace' in wanted) return wanted.namespace;
  const isOwn = wanted.database === '' || [USUAL_DATABASE, SYSTEM_DATABASE].includes(wanted.database.toLowerCase());
  return isOwn ? own : wanted.database;
}
