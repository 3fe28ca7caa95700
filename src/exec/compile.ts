/**
 * A plan → a function that runs it. The function is made for the shape of one view of the store (see `Codegen`); `CompiledPlan` keeps it while the shape and
 * the types of the parameters stay the same, and makes it anew when they change.
 *
 * Cost: some 20–100 µs per compilation, once per plan and shape; nothing after.
 */
import { assert } from '../base/index.ts';
import type { GraphView } from '../graph/index.ts';
import type { Operator, Plan } from '../plan/index.ts';
import type { Value } from '../value/index.ts';
import { Codegen, typeOfValue } from './codegen/codegen.ts';
import { toValue } from './codegen/expressions/access.ts';
import { loadStatementFunction, type StatementFunction } from './codegen/load-function.ts';
import { produce } from './codegen/operators/produce.ts';
import type { Shape } from './codegen/shape.ts';
import type { StaticType } from './codegen/typed.ts';
import { withoutOverflow } from './overflow.ts';
import { library } from './runtime/library.ts';

const BATCH_ROWS = 1024;

export interface CompiledStatement {
  readonly run: StatementFunction;
  readonly constants: readonly unknown[];
  /** The generated text, for EXPLAIN. */
  readonly source: string;
  /** In the order of the figures of a `Profile`. */
  readonly profiled: readonly Operator[];
}

/** What a compiled statement was made for. */
interface Version {
  readonly types: string;
  readonly shape: Shape;
  readonly compiled: CompiledStatement;
  /** The view that it was last found to fit, and its shape version then (a view changes when more of it is loaded). */
  checked: WeakRef<GraphView>;
  checkedVersion: number;
}

const KEPT_VERSIONS = 8;

export class CompiledPlan {
  readonly plan: Plan;
  private versions: Version[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
  }

  for(view: GraphView, parameters: ReadonlyMap<string, Value>): CompiledStatement {
    const types = new Map<string, StaticType>();
    let key = '';
    for (const [name, value] of parameters) {
      const type = typeOfValue(value);
      types.set(name, type);
      key += `${name}:${type},`;
    }
    const known = this.versions.find((version) => version.types === key && fits(version, view));
    if (known !== undefined) return known.compiled;
    const { compiled, shape } = withoutOverflow(() => compile(this.plan, view, types));
    this.versions = [
      { types: key, shape, compiled, checked: new WeakRef(view), checkedVersion: view.shapeVersion },
      ...this.versions.slice(0, KEPT_VERSIONS - 1),
    ];
    return compiled;
  }
}

function fits(version: Version, view: GraphView): boolean {
  if (version.checkedVersion === view.shapeVersion && version.checked.deref() === view) return true;
  if (!version.shape.holds(view)) return false;
  version.checked = new WeakRef(view);
  version.checkedVersion = view.shapeVersion;
  return true;
}

function compile(
  plan: Plan,
  view: GraphView,
  parameterTypes: ReadonlyMap<string, StaticType>,
): { compiled: CompiledStatement; shape: Shape } {
  const cg = new Codegen({
    view,
    generic: plan.writes,
    parameterTypes,
    variableTypes: plan.variableTypes,
    profile: plan.mode === 'profile',
    root: plan.root,
    partitioned: plan.partitioned ?? null,
  });
  const names = plan.columns.map((column) => column.variable);
  const out = cg.f.hoistVariable('out', 'out', '[]');
  produce(cg, plan.root, new Map(), new Set(names), (environment) => {
    const values = names.map((name) => {
      const typed = environment.get(name);
      assert(typed !== undefined, `the plan does not bind the column ${name}`);
      const value = toValue(typed);
      if (plan.partitioned !== undefined) return value;
      return typed.type === 'any' || typed.type === 'node' || typed.type === 'relationship' ? `rt.result(${value})` : value;
    });
    if (names.length === 0) return;
    cg.f.emit(`${out}.push([${values.join(', ')}]);`);
    cg.f.emit(`if (${out}.length >= ${BATCH_ROWS}) { yield ${out}; ${out} = []; }`);
  });
  cg.f.atEnd(`if (${out}.length > 0) yield ${out};`);
  const source = cg.source();
  const run = loadStatementFunction(source, library);
  return { compiled: { run, constants: cg.constants, source, profiled: cg.profiled }, shape: cg.shape };
}
