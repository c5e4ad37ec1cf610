import type { StoreHistory } from '../history.ts';
import { sayAnswer, sayExpected, sayRequest } from '../render/values.ts';
import { blame } from './blame.ts';
import { type Call, callsOf } from './calls.ts';
import { judgeLife } from './life.ts';
import { apply, linearize, type Order } from './linearize.ts';
import { sessionsOf, witnessesOf } from './sessions.ts';
import { meetCalls } from './situations.ts';
import { type Reading, Verdicts } from './verdicts.ts';
import { judgeSession } from './watches.ts';

const readings = new WeakMap<StoreHistory, Reading>();

/** Judges a history once for all laws. */
export function readingOf(history: StoreHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const reading = read(history);
  readings.set(history, reading);
  return reading;
}

/**
 * Judges a history: first an order of its calls, then its watches against the changes of that order. If the calls have
 * no order, the watches are not judged: it is unknown what they should have sent.
 */
function read(history: StoreHistory): Reading {
  const verdicts = new Verdicts();
  judgeLife(history, verdicts);
  const calls = callsOf(history);
  const sessions = sessionsOf(history);
  let order = linearize(calls, witnessesOf(sessions));
  // A watch may be wrong itself: then its changes decide nothing.
  if (!order.isWhole) order = linearize(calls);
  meetCalls(order, verdicts);
  if (!order.isWhole) explain(order, verdicts);
  else for (const session of sessions) judgeSession(session, { history, calls, order }, verdicts);
  return verdicts;
}

function explain(order: Order, verdicts: Verdicts): void {
  const call = order.blocked as Call;
  const { state } = order;
  const { expected } = apply(state, call);
  const law = blame(order, call, expected);
  const { answer, atMs } = call;
  const said = answer ? `answered ${sayAnswer(answer)}` : 'has not come yet';
  const rule = answer ? `; expected ${sayExpected(expected)}` : '';
  const who = answer
    ? `${call.by} called ${sayRequest(call.request)}, and the store ${said}`
    : `${sayRequest(call.request)} ${said}`;
  const last = order.placed.findLast((one, i) => one.state !== (order.placed[i - 1]?.state ?? undefined));
  const after = last ? ` after ${sayRequest(last.call.request)}` : '';
  verdicts.break(
    law,
    atMs,
    `${who}${rule}. The store is at revision ${state.revision}${after}.${adviceOn(law)}`,
  );
}

function adviceOn(law: string): string {
  return law === 'durable' ? ' An answer must survive a crash, and a part of a write must not.' : '';
}
