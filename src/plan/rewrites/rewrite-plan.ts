/**
 * Rewrites of the whole plan, in their order. Each stands in a file of its own, keeps the rows as they are (as a bag),
 * and adds its name to `context.rewrites` when it has changed something.
 */
import type { PlanContext } from '../context.ts';
import type { Operator } from '../plan.ts';
import { countByDegree } from './count-by-degree.ts';
import { countCycles } from './counted-cycles.ts';
import { useDistinctEnds } from './distinct-ends.ts';
import { useExistence } from './existence.ts';
import { factorizeRows } from './factorized-rows.ts';
import { delayFilters } from './late-filters.ts';
import { joinManyWays } from './multiway-joins.ts';
import { orientInto } from './orient-into.ts';
import { startSequentially } from './sequential-start.ts';
import { countSymmetricCycles } from './symmetric-cycles.ts';
import { dropUnreadLists } from './unread-lists.ts';

/** Applies all rewrites to a plan. `outputs`: the variables of the result. */
export function rewritePlan(context: PlanContext, root: Operator, outputs: readonly string[]): Operator {
  let plan = countSymmetricCycles(context, root);
  plan = delayFilters(context, plan, outputs);
  plan = countCycles(context, plan);
  plan = countByDegree(context, plan);
  if (context.flags.factorize) plan = factorizeRows(context, plan);
  plan = startSequentially(context, plan);
  plan = useExistence(context, plan);
  plan = dropUnreadLists(context, plan, outputs);
  plan = useDistinctEnds(context, plan);
  plan = orientInto(context, plan, outputs);
  if (context.flags.wcoj) plan = joinManyWays(context, plan);
  return plan;
}
