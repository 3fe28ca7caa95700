/**
 * Slows down clients that guess tokens: answers to wrong tokens from one address come later and later. A right token is
 * never delayed, and clears the wrong ones of its address.
 *
 * The first FREE_GUESSES wrong tokens of an address are answered at once; each further answer waits twice as long as
 * the one before, from FIRST_DELAY_MS to LONGEST_DELAY_MS. At most WAITING_PER_ADDRESS answers of one address wait at a
 * time, and WAITING_IN_ALL of all addresses; beyond these a connection is closed without an answer. An address is
 * forgotten after FORGOTTEN_AFTER_MS without a wrong token, and when KNOWN_ADDRESSES others have come after it. The
 * first delayed answer of an address is logged, the others of the burst are not.
 *
 * The addresses of an IPv6 network of 64 bits count as one.
 */
import { isIPv6 } from 'node:net';
import type { Clock } from '../clock.ts';
import { LRUCache } from '../collections/lru-cache.ts';
import type { Logger } from '../logging.ts';

const FREE_GUESSES = 10;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
const FORGOTTEN_AFTER_MS = 60_000;
const KNOWN_ADDRESSES = 10_000;
const WAITING_PER_ADDRESS = 16;
const WAITING_IN_ALL = 1_000;

interface Guesser {
  wrong: number;
  lastMs: number;
  waiting: number;
}

/** Delays answers to addresses that guess tokens. */
export class GuessDelays {
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly guessers = new LRUCache<string, Guesser>(KNOWN_ADDRESSES);
  private waiting = 0;

  constructor(clock: Clock, logger: Logger) {
    this.clock = clock;
    this.logger = logger;
  }

  /**
   * Counts a wrong token of an address. Resolves to true when the client may be answered, and to false when its
   * connection must be closed without an answer.
   */
  async wrong(address: string): Promise<boolean> {
    const guesser = this.guesserOf(networkOf(address));
    guesser.wrong++;
    guesser.lastMs = this.clock.now();
    const delayed = guesser.wrong - FREE_GUESSES;
    if (delayed <= 0) return true;
    if (delayed === 1) this.logger.warn({ address, wrongTokens: guesser.wrong }, 'wrong tokens come from one address: answers to it wait');
    if (guesser.waiting >= WAITING_PER_ADDRESS || this.waiting >= WAITING_IN_ALL) return false;
    guesser.waiting++;
    this.waiting++;
    try {
      await this.clock.sleep(Math.min(FIRST_DELAY_MS * 2 ** Math.min(delayed - 1, 30), LONGEST_DELAY_MS));
    } finally {
      guesser.waiting--;
      this.waiting--;
    }
    return true;
  }

  /** Clears the wrong tokens of an address, which has presented a right one. */
  right(address: string): void {
    if (this.guessers.size > 0) this.guessers.delete(networkOf(address));
  }

  private guesserOf(network: string): Guesser {
    const known = this.guessers.get(network);
    if (known !== undefined && this.clock.now() - known.lastMs < FORGOTTEN_AFTER_MS) return known;
    const guesser = { wrong: 0, lastMs: 0, waiting: known?.waiting ?? 0 };
    this.guessers.set(network, guesser);
    return guesser;
  }
}

/** Returns an IPv4 address, also where it is written as one of IPv6, or the first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::', 2);
  const groups = head.split(':').filter((group) => group !== '');
  const behind = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : Math.max(8 - groups.length - behind.length, 0);
  return [...groups, ...Array<string>(zeros).fill('0'), ...behind].slice(0, 4).join(':');
}
