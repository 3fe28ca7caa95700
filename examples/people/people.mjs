import { open } from 'graphdb';

const db = await open('memory://people');
const { rows } = await db.query('RETURN $list AS list, date("2024-02-29") AS day', { list: [1, 2n ** 62n, null] });
console.log(rows[0].list, String(rows[0].day));
await db.close();
