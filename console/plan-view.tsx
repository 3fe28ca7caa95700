/** The plan of a statement as a tree; of a profile with the rows that each operator gave and its share of the time. */
import type { PlanNode } from './api.ts';

export function PlanView({ plan }: { readonly plan: PlanNode | undefined }) {
  if (plan === undefined)
    return <p class="empty">Write EXPLAIN before the statement to see its plan, or PROFILE to run it and see rows and times.</p>;
  return (
    <div class="plan">
      <ul aria-label="Plan">
        <Branch node={plan} total={totalMs(plan)} />
      </ul>
    </div>
  );
}

function Branch({ node, total }: { readonly node: PlanNode; readonly total: number }) {
  const { operator, details, estimatedRows, rows, timeMs, children } = node;
  return (
    <li>
      <div class="operator">
        <strong>{operator}</strong> <code>{details}</code>
        <span class="note">
          ~{rounded(estimatedRows)} rows{rows !== undefined && ` · ${rows} rows`}
          {timeMs !== undefined && ` · ${timeMs.toFixed(2)} ms`}
        </span>
        {timeMs !== undefined && (
          <meter min={0} max={Math.max(total, 0.001)} value={timeMs} aria-label={`${operator}: share of the time`} />
        )}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child, i) => (
            <Branch key={`${i}`} node={child} total={total} />
          ))}
        </ul>
      )}
    </li>
  );
}

function rounded(rows: number): string {
  return rows >= 1e6 ? rows.toExponential(1) : String(Math.round(rows * 10) / 10);
}

function totalMs({ timeMs = 0, children }: PlanNode): number {
  return timeMs + children.reduce((sum, child) => sum + totalMs(child), 0);
}
