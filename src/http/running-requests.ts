/**
 * The requests that run a statement now. Each has an abort signal that fires when its client goes away, or when the server stops and has
 * waited long enough.
 */
import type { ServerResponse } from 'node:http';
import { GraphDBError, reasonOf } from '../base/index.ts';

export interface RunningRequests {
  /** Runs `work` under a signal of its own. A statement that was stopped by the server fails with the server's reason. */
  run<T>(response: ServerResponse, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts all that run now; each fails with `reason`. */
  abortAll(reason: GraphDBError): void;
}

export function createRunningRequests(): RunningRequests {
  const controllers = new Set<AbortController>();
  return {
    async run(response, work) {
      const controller = new AbortController();
      const onClose = () => {
        if (!response.writableFinished) controller.abort(new GraphDBError('CANCELLED', 'the client went away'));
      };
      controllers.add(controller);
      response.once('close', onClose);
      try {
        return await work(controller.signal);
      } catch (error) {
        throw reasonOf(error, controller.signal);
      } finally {
        controllers.delete(controller);
        response.removeListener('close', onClose);
      }
    },
    abortAll(reason) {
      for (const controller of controllers) controller.abort(reason);
    },
  };
}
