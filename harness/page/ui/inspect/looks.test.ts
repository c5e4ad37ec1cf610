import { describe, expect, it } from 'vitest';
import type { Details, Subject } from '../../protocol/details.ts';
import { type Look, Looks } from './looks.ts';

const node = (name: string): Subject => ({ kind: 'node', name });

/** A service that answers when the test lets it, on a clock that the test moves. */
function newLooks() {
  const state = {
    nowMs: 1_000,
    asked: [] as string[],
    answers: [] as ((details: Details | undefined) => void)[],
    looks: [] as Look[],
    timers: [] as { readonly atMs: number; readonly run: () => void }[],
    async answer(): Promise<void> {
      state.answers.shift()?.(undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
    pass(ms: number): void {
      state.nowMs += ms;
      for (const timer of state.timers.filter(({ atMs }) => atMs <= state.nowMs)) {
        state.timers.splice(state.timers.indexOf(timer), 1);
        timer.run();
      }
    },
  };
  const looks = new Looks({
    service: {
      inspect: (subject) => {
        state.asked.push('name' in subject ? subject.name : '');
        return new Promise((resolve) => state.answers.push(resolve));
      },
    },
    clock: {
      now: () => state.nowMs,
      after: (ms, run) => {
        const timer = { atMs: state.nowMs + ms, run };
        state.timers.push(timer);
        return () => state.timers.splice(state.timers.indexOf(timer), 1);
      },
    },
    onLook: (look) => state.looks.push(look),
  });
  return { state, looks };
}

describe('Looks into a subject', () => {
  it('come at once, then at most four times a second, and a last time after the last movement', async () => {
    const { state, looks } = newLooks();
    looks.want(node('a'));
    await state.answer();
    for (let i = 0; i < 100; i++) {
      state.pass(10);
      looks.want(node('a'));
      await state.answer();
    }
    expect(state.asked.length).toBe(5);
    state.pass(300);
    await state.answer();
    expect(state.asked.length).toBe(6);
    state.pass(10_000);
    expect(state.asked.length).toBe(6);
  });

  it('come at once for another subject, without the answer of the first', async () => {
    const { state, looks } = newLooks();
    looks.want(node('a'));
    looks.want(node('b'));
    expect(state.asked).toEqual(['a']);
    await state.answer();
    expect([state.asked, state.looks]).toEqual([['a', 'b'], []]);
    await state.answer();
    expect(state.looks).toEqual([{ subject: node('b'), details: undefined }]);
  });

  it('wait for an answer that is still on its way', async () => {
    const { state, looks } = newLooks();
    looks.want(node('a'));
    state.pass(1_000);
    looks.want(node('a'));
    expect(state.asked).toEqual(['a']);
    await state.answer();
    expect(state.asked).toEqual(['a', 'a']);
  });

  it('report an error as an answer, and nothing after their end', async () => {
    const looks: Look[] = [];
    const failing = new Looks({
      service: { inspect: () => Promise.reject(new Error('broken')) },
      clock: { now: () => 0, after: () => () => {} },
      onLook: (look) => looks.push(look),
    });
    failing.want(node('a'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toEqual([{ subject: node('a'), error: 'broken' }]);
    failing.want(node('b'));
    failing.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toHaveLength(1);
  });
});
