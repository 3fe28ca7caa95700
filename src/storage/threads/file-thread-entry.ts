/**
 * The entry of the file thread (file-thread.ts): carries out file jobs, several at once, and sends requests to the
 * thread that has the store.
 */
import { readlinkSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { GraphDBError, SharedMemoryPool } from '../../base/index.ts';
import { becomeBackgroundThread } from '../files/background-thread.ts';
import type { FileAccess } from '../files/file-access.ts';
import type { FileJob } from './file-jobs.ts';
import { ImageMemory } from './image-memory.ts';
import type { Fault, FileRequest, ThreadOrder, ThreadReport } from './thread-messages.ts';

/** The nice value that this thread adds to that of the process: statements come first when there are few cores. */
const NICENESS = 10;
const LOWEST = 19;
const SMALLEST_READ_BYTES = 4_096;
const MOST_SPARE_READ_BYTES = 32 * 2 ** 20;

const port = parentPort!;
const requests = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void }>();
const jobs = new Map<number, AbortController>();
/** The number of the request that an error came from. */
const origins = new WeakMap<Error, number>();
let requested = 0;
/** Returns the size of memory for a read, a power of two: blocks of one table have about the same length. */
const readSize = (bytes: number): number => Math.max(SMALLEST_READ_BYTES, 2 ** Math.ceil(Math.log2(bytes)));
/** Shared memory into which the thread that has the store reads. */
const reads = new SharedMemoryPool({
  sizeFor: readSize,
  largestFor: (bytes) => 4 * readSize(bytes),
  mostSpareBytes: MOST_SPARE_READ_BYTES,
});
const imageMemory = new ImageMemory((place, buffer) => tell({ kind: 'image', place, buffer }));

/** Returns the access to the bucket of a job, whose requests the thread that has the store makes. */
function accessOf(job: number, reusesImages: boolean): FileAccess {
  const images = reusesImages ? imageMemory : null;
  const ask = (request: FileRequest, transfer: readonly ArrayBuffer[] = []): Promise<unknown> => askFor(job, request, transfer);
  return {
    get: (key) => ask({ operation: 'get', key }) as Promise<Uint8Array | null>,
    async readInto(key, offset, target) {
      const memory = reads.take(target.length);
      const shared = new Uint8Array(memory, 0, target.length);
      const read = (await ask({ operation: 'readInto', key, offset, target: shared })) as number | null;
      target.set(shared);
      // With other stores an attempt that was given up may still write there later.
      if (images !== null) reads.giveBack(memory);
      return read;
    },
    reusesImages: images !== null,
    image: (length) => images?.take(length) ?? new Uint8Array(length),
    async create(bytes) {
      const place = images?.placeOf(bytes);
      if (place === undefined) return (await ask({ operation: 'create', bytes }, [bytes.buffer as ArrayBuffer])) as string;
      const key = (await ask({ operation: 'createFromImage', place, length: bytes.length })) as string;
      images?.giveBack(bytes);
      return key;
    },
    createArtefactFile: async (bytes) => (await ask({ operation: 'createArtefactFile', bytes }, [bytes.buffer as ArrayBuffer])) as string,
    release: (keys) => tell({ kind: 'release', job, keys }),
  };
}

becomeBackgroundThread();
lowerPriority();
enableCompileCache();
// Imported after the priority is lowered: loading the code is work as well.
const { carryOut } = await import('./file-jobs.ts');
port.on('message', take);

function take(order: ThreadOrder): void {
  switch (order.kind) {
    case 'start':
      void run(order.id, order.job, accessOf(order.id, order.reusesImages));
      return;
    case 'stop':
      jobs.get(order.id)?.abort();
      return;
    case 'answer':
      requests.get(order.id)?.resolve(order.value);
      requests.delete(order.id);
      return;
    case 'refusal':
      requests.get(order.id)?.reject(errorOf(order.fault));
      requests.delete(order.id);
      return;
    default:
      order satisfies never;
  }
}

async function run(id: number, job: FileJob, access: FileAccess): Promise<void> {
  const stopping = new AbortController();
  jobs.set(id, stopping);
  try {
    tell({ kind: 'done', id, outcome: await carryOut(job, access, stopping.signal) });
  } catch (error) {
    tell({ kind: 'failed', id, fault: faultOf(error) });
  } finally {
    jobs.delete(id);
  }
}

function askFor(job: number, request: FileRequest, transfer: readonly ArrayBuffer[]): Promise<unknown> {
  const id = ++requested;
  return new Promise((resolve, reject) => {
    requests.set(id, { resolve, reject });
    tell({ kind: 'request', id, job, request }, transfer);
  });
}

function tell(report: ThreadReport, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(report, transfer);
}

function errorOf({ code, message, request }: Fault): GraphDBError {
  const error = new GraphDBError(code, message);
  if (request !== null) origins.set(error, request);
  return error;
}

function faultOf(error: unknown): Fault {
  if (error instanceof GraphDBError) return { code: error.code, message: error.message, request: origins.get(error) ?? null };
  return { code: 'INTERNAL', message: error instanceof Error ? (error.stack ?? error.message) : String(error), request: null };
}

/** Lowers the priority of this thread only, by its Linux thread id. On other systems the priority stays as it is. */
function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + NICENESS, LOWEST));
  } catch {
    // It only helps.
  }
}
