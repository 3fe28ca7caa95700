/** Leaks of five kinds, each made in the sources as they are loaded: `npm run tenants -- --planted` must find every one. */
import type { Mistake } from '../support/planted.ts';

export const LEAKS: readonly Mistake[] = [
  {
    name: 'rows: whoever asks for a namespace is let in',
    file: 'src/namespaces/many-namespaces.ts',
    right: '    if (!maySee(caller, name)) throw notForCaller(name);\n    const held =',
    wrong: '    const held =',
  },
  {
    name: 'names: SHOW DATABASES lists all',
    file: 'src/namespaces/many-namespaces.ts',
    right: "scope === '*' ? await catalogue.list() : await catalogue.listAmong(scope)",
    wrong: 'await catalogue.list()',
  },
  {
    name: 'counts: metrics by namespace for everybody',
    file: 'src/http/routes/metrics.ts',
    right: 'mayEverything(caller) ? Buffer',
    wrong: 'mayEverything(caller) || caller.role !== undefined ? Buffer',
  },
  {
    name: 'errors: what is not there is told before rights are looked at',
    file: 'src/namespaces/many-namespaces.ts',
    right: '    if (!maySee(caller, name)) throw notForCaller(name);\n    const held =',
    wrong: '    if (!maySee(caller, name)) return this.#requireThere(name).then(() => { throw notForCaller(name); });\n    const held =',
  },
  {
    name: "statements: an admin is told of everybody's",
    file: 'src/server/transactions/ongoing-transactions.ts',
    right: "maySee(caller, namespace) && may(caller, 'govern')",
    wrong: "may(caller, 'govern')",
  },
];
