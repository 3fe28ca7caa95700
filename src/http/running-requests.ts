/**
 * The requests that run a statement now. Each has an abort signal that fires when its client goes away, or when the
 * server stops and has waited long enough.
 */
import type { ServerResponse } from 'node:http';
import { Bag, type Bagged, type Caller, GraphDBError, NOT_IN_BAG, reasonOf } from '../base/index.ts';

/** The requests that run a statement. */
export interface RunningRequests {
  /** Runs `work` under a signal of its own. If the server has stopped the statement, it fails with the server's reason. */
  run<T>(of: { readonly raw: ServerResponse; readonly caller: Caller }, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts the request that this response answers, if it runs: it fails with `reason`. */
  abort(raw: ServerResponse, reason: GraphDBError): void;
  /** Aborts the requests whose callers are no longer admitted: a token was revoked, or has expired. */
  abortInvalid(): void;
  /** Aborts all running requests; each fails with `reason`. */
  abortAll(reason: GraphDBError): void;
}

interface RunningRequest extends Bagged {
  readonly response: ServerResponse;
  readonly controller: AbortController;
  readonly caller: Caller;
}

/** Creates the list of running requests. */
export function createRunningRequests(): RunningRequests {
  const running = new Bag<RunningRequest>();
  return {
    async run({ raw: response, caller }, work) {
      const controller = new AbortController();
      const onClose = () => {
        if (!response.writableFinished) controller.abort(new GraphDBError('CANCELLED', 'the client went away'));
      };
      const request = { response, controller, caller, placeInBag: NOT_IN_BAG };
      running.add(request);
      if (response.closed) onClose();
      else response.once('close', onClose);
      try {
        return await work(controller.signal);
      } catch (error) {
        throw reasonOf(error, controller.signal);
      } finally {
        running.remove(request);
        response.removeListener('close', onClose);
      }
    },
    abort(raw, reason) {
      for (const { response, controller } of running) if (response === raw) controller.abort(reason);
    },
    abortInvalid() {
      for (const { controller, caller } of running)
        if (!caller.isValid()) controller.abort(new GraphDBError('UNAUTHORIZED', 'the token has been revoked, or has expired'));
    },
    abortAll(reason) {
      for (const { controller } of running) controller.abort(reason);
    },
  };
}
