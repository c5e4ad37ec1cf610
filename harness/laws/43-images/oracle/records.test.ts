import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AskRead, CallRead, Reading } from './reading.ts';
import { recordsAt } from './records.ts';

const digest = createHash('sha256').update('web:1').digest('hex');
const pulling = `/var/lib/kubelet/image_manager/pulling/sha256-${digest}`;

/** A call of one index and one ms, in this order. */
function call(at: number, verb: string, ...args: readonly unknown[]): CallRead {
  return { incarnation: 1, verb, args, began: at, beganMs: at, ended: at, endedMs: at, result: 'sha256:1' };
}

describe('The records of an image', () => {
  test('name the pull that left no pulled record, and not the intent of the next pull', () => {
    const next = call(9, 'pullImage', { image: 'web:1' });
    const reading = {
      calls: [
        call(1, 'rename', `${pulling}.tmp`, pulling),
        call(2, 'pullImage', { image: 'docker.io/library/web:1' }),
        call(3, 'removeAll', pulling),
        call(7, 'rename', `${pulling}.tmp`, pulling),
        next,
      ],
    } as unknown as Reading;
    const ask = { pod: { image: 'web:1' }, began: 5, ended: 10, pulls: [next] } as unknown as AskRead;
    expect(recordsAt(reading, ask, 'sha256:1')).toEqual([
      'Its records at this time: the pulling record was removed (removeAll called at 3 ms); the pulled record was never written. The pull that ended at 2 ms was the last one: write the pulled record after it.',
    ]);
  });
});
