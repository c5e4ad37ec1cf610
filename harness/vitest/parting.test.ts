import { describe, expect, test } from 'vitest';
import { parting, partingLines } from './parting.ts';

const line = (ms: number, actor: string, what: string): string =>
  `  t=${ms}ms  ${actor}  ${what}  ok · revision 3`;

describe('Two runs of one scenario', () => {
  const start = [
    line(1, 'controller', 'create pods/default/web-…'),
    line(2, 'controller', 'ADDED pods/default/web-bcdfg'),
    line(3, 'controller', 'updateStatus replicasets/default/web'),
  ];

  test('part at the first write that differs', () => {
    const mine = [...start, line(9, 'controller', 'create pods/default/web-…'), '✗ too many'];
    const reference = [...start, line(8, 'controller', 'delete pods/default/web-bcdfg')];
    expect(parting(mine, reference)).toMatchObject({
      actor: 'controller',
      mine: { at: 't=9ms', what: 'create pods/default/web-…' },
      reference: { at: 't=8ms', what: 'delete pods/default/web-bcdfg' },
    });
  });

  test('part at a read of the reference, if the code writes without this read', () => {
    const mine = [...start, line(9, 'controller', 'create pods/default/web-…'), '✗ too many'];
    const reference = [...start, line(9, 'controller', 'list pods/default')];
    expect(parting(mine, reference)?.reference).toEqual({ at: 't=9ms', what: 'list pods/default' });
  });

  test('do not part at reads alone, at generated names, at watch events, or at Events', () => {
    const mine = [
      ...start,
      line(5, 'controller', 'list pods/default'),
      line(6, 'controller', 'create events/default/web.1'),
      line(7, 'controller', 'delete pods/default/web-bcdfg'),
      '✗ too few',
    ];
    const reference = [
      ...start.map((each) => each.replace('web-bcdfg', 'web-zzzzz')),
      line(6, 'controller', 'MODIFIED pods/default/web-zzzzz'),
      line(7, 'controller', 'delete pods/default/web-zzzzz'),
    ];
    expect(parting(mine, reference)).toBeUndefined();
  });

  test('part where one of them does nothing more', () => {
    const reference = [...start, line(8, 'controller', 'delete pods/default/web-bcdfg')];
    expect(parting([...start, line(9, 'user', 'scale web'), '✗ too many'], reference)).toMatchObject({
      mine: undefined,
      reference: { at: 't=8ms' },
    });
  });

  test('do not part after the violation', () => {
    const mine = [...start, '✗ wrong status', line(9, 'controller', 'create pods/default/web-…')];
    expect(parting(mine, [...start, line(9, 'controller', 'delete pods/default/web-bcdfg')])).toBeUndefined();
  });

  test('do not part if they have little in common before', () => {
    const other = [4, 5, 6].map((ms) => line(ms, 'controller', `create pods/default/own-${ms}`));
    expect(parting([...other, '✗ too many'], start)).toBeUndefined();
  });
});

describe('The lines at which two runs part', () => {
  const read = 't=1ms  controller  list pods/default  ok · revision 3';
  const create = (ms: number, outcome = 'ok · revision 4'): string =>
    `t=${ms}ms  controller  create pods/default/web-…  ${outcome}`;
  const of = (mine: readonly string[], reference: readonly string[], violatedMs = 100) =>
    partingLines(mine, reference, { violatedMs, isLearners: (actor) => actor === 'controller' });

  test('are the first acts that differ', () => {
    expect(of([read, create(2), create(3), '✗ too many'], [read, create(2)])).toEqual({
      by: 'act',
      actor: 'controller',
      mine: 2,
    });
  });

  test('may lie in the time between the last act and the violation', () => {
    const reference = [read, create(2), 't=50ms  controller  get pods/default/web-1  ok', create(60)];
    expect(of([read, create(2), '✗ never looks again'], reference)).toMatchObject({
      by: 'act',
      reference: 2,
    });
    expect(of([read, create(2), '✗ never looks again'], reference, 40)).toMatchObject({ by: 'content' });
  });

  test('are the same act with different outcomes', () => {
    expect(of([read, create(2, 'Conflict'), '✗ wrong'], [read, create(2)])).toMatchObject({
      by: 'outcome',
      mine: 1,
      reference: 1,
    });
  });

  test('are the same act at different times', () => {
    expect(of([read, create(2), '✗ too early'], [read, create(30)])).toMatchObject({ by: 'time', mine: 1 });
  });

  test('are the last act before the violation, if no line differs', () => {
    const user = 't=2ms  user  scale web  ok';
    expect(of([read, create(2), user, '✗ wrong labels'], [read, create(2), user])).toEqual({
      by: 'content',
      actor: 'controller',
      mine: 1,
      reference: 1,
    });
  });

  test('do not lie after the violation', () => {
    const mine = [read, '✗ wrong', 't=200ms  controller  delete pods/default/web-1  ok'];
    expect(of(mine, [read])).toMatchObject({ by: 'content', mine: 0 });
  });
});
