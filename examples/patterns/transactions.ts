/**
 * Several statements that take effect together: as a function that is done anew where it failed for a reason that
 * passes, and step by step.
 */
import assert from 'node:assert/strict';
import { type Database, GraphDBError, open, type Transaction } from 'graphdb';

interface Account {
  readonly id: string;
  readonly balance: number;
}

async function balanceOf(tx: Transaction, id: string): Promise<number> {
  const account = await tx.first<Account>('MATCH (a:Account {id: $id}) RETURN a.id AS id, a.balance AS balance', { id });
  if (account === undefined) throw new Error(`there is no account ${id}`);
  return account.balance;
}

function move(db: Database, transfer: { from: string; to: string; amount: number }): Promise<number> {
  return db.transaction(async (tx) => {
    const left = (await balanceOf(tx, transfer.from)) - transfer.amount;
    if (left < 0) throw new RangeError('not enough');
    await tx.query(
      'MATCH (a:Account {id: $from}), (b:Account {id: $to}) SET a.balance = a.balance - $amount, b.balance = b.balance + $amount',
      transfer,
    );
    return left;
  });
}

await using db = await open('memory://pattern-transactions');
await db.query("CREATE (:Account {id: 'a', balance: 10}), (:Account {id: 'b', balance: 0})");
assert.equal(await move(db, { from: 'a', to: 'b', amount: 3 }), 7);
await assert.rejects(move(db, { from: 'a', to: 'b', amount: 30 }), RangeError);
assert.deepEqual(await Promise.all([move(db, { from: 'a', to: 'b', amount: 1 }), move(db, { from: 'b', to: 'a', amount: 1 })]), [6, 3]);

const total = await db.transaction((tx) => tx.value<number>('MATCH (a:Account) RETURN sum(a.balance)'), { mode: 'read' });
assert.equal(total, 10);

let attempts = 0;
const outcome = await db.transaction(async () => {
  if (++attempts < 3) throw new GraphDBError('STORE_UNAVAILABLE', 'it passes');
  return 'done';
});
assert.deepEqual([outcome, attempts], ['done', 3]);

await using tx = await db.begin();
await tx.query("MATCH (a:Account {id: 'a'}) DELETE a");
await tx.rollback();
assert.equal(await db.value<number>('MATCH (a:Account) RETURN count(a)'), 2);
console.log('transactions: done');
