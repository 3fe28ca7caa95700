/** RUST_LOG's grammar, and that a module's level decides what is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, parseLogFilter, silentLogger } from './logging.ts';

test('RUST_LOG gives a default level and levels of modules', () => {
  const filter = parseLogFilter(' info, storage=DEBUG ,http=off', 'warn');
  assert.equal(filter.defaultLevel, 'info');
  assert.deepEqual(
    [...filter.modules],
    [
      ['storage', 'debug'],
      ['http', 'off'],
    ],
  );
  assert.equal(parseLogFilter('', 'warn').defaultLevel, 'warn');
  assert.equal(parseLogFilter('storage=trace', 'warn').defaultLevel, 'warn');
});

test('a directive that is no level is refused and named', () => {
  for (const text of ['debgu', 'storage=loud', '=info', 'info,storage=']) {
    assert.throws(() => parseLogFilter(text, 'info'), { code: 'ARGUMENT_ERROR', message: /neither a level/ }, text);
  }
});

test('lines carry module, level and fields, and only what the filter lets through', async () => {
  const lines: string[] = [];
  const logger = await createLogger(parseLogFilter('warn,storage=debug', 'info'), { write: (line) => lines.push(line) });
  logger.info('not seen');
  logger.module('storage').debug({ objects: 3 }, 'listed');
  logger.module('http').warn('seen');
  logger.module('http').error({ error: new Error('reason') }, 'failed');
  const seen = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    seen.map((line) => [line.level, line.module, line.msg]),
    [
      ['debug', 'storage', 'listed'],
      ['warn', 'http', 'seen'],
      ['error', 'http', 'failed'],
    ],
  );
  assert.equal(seen[0]?.objects, 3);
  assert.match(JSON.stringify(seen[2]?.error), /"message":"reason"/);
});

test('the silent logger has modules too', () => {
  assert.equal(silentLogger.module('any'), silentLogger);
  silentLogger.error('nothing happens');
});
