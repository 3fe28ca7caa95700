/** The database of this server under the names that clients use: the usual one, which SHOW DATABASES tells, `system`, and the namespace. */
import { BoltFailure } from './failures.ts';

export const DATABASE = 'neo4j';

export function checkDatabase(name: string | null, namespace: string): void {
  if (name === null || name === '' || name === namespace) return;
  const lower = name.toLowerCase();
  if (lower === DATABASE || lower === 'system') return;
  throw new BoltFailure(
    'Neo.ClientError.Database.DatabaseNotFound',
    `there is no database "${name}": this server has one, named "${DATABASE}"; leave the name out`,
  );
}
