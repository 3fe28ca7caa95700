/**
 * The engine as a process for clients in other languages: frames on stdin and stdout (frames.ts, requests.ts), log
 * lines on stderr. It ends when its input ends, so it never outlives the process that started it.
 */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { createLogger, logFilterText, parseLogFilter } = await import('../base/index.ts');
const { StdioSession } = await import('./session.ts');

// Ctrl-C on a terminal reaches every process of the group; the client decides what it means.
process.on('SIGINT', () => {});
process.stdout.on('error', () => process.exit(1));
try {
  const logger = await createLogger(parseLogFilter(logFilterText(process.env).text, 'error'));
  await new StdioSession(process.stdout, logger).serve(process.stdin);
  process.exit(0);
} catch (error) {
  process.stderr.write(`graphdb engine: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
