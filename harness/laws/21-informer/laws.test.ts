import { describe, expect, test } from 'vitest';
import type { HistoryEntry, InformerHistory } from './history.ts';
import * as laws from './laws.ts';
import { configMap } from './scripted-server.ts';

describe('The laws of an informer', () => {
  test('name the object at fault as the rows of the timeline do', () => {
    const told: HistoryEntry = {
      atMs: 7,
      kind: 'told',
      handler: 'steady',
      what: { type: 'delete', object: configMap('a', '5') },
    };
    const history: Pick<InformerHistory, 'entries'> = { entries: [told] };
    const [breach] = laws.honest(history as InformerHistory);
    expect(breach).toEqual({
      atMs: 7,
      message: 'steady was told of a@5 as a delete, but never of an add',
      object: 'configmaps/default/a',
    });
  });
});
