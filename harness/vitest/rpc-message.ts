/** A message of birpc, the protocol between Vitest and its workers. */
interface RpcMessage {
  readonly t?: 'q' | 's';
  readonly i?: unknown;
}

/** Does a message ask for an answer? A request without an id does not. */
export function isRequest(message: unknown): boolean {
  const { t, i } = (message ?? {}) as RpcMessage;
  return t === 'q' && i !== undefined;
}

/** Returns the id of an answer; undefined for any other message. */
export function answerIn(message: unknown): unknown {
  const { t, i } = (message ?? {}) as RpcMessage;
  return t === 's' ? i : undefined;
}
