import { describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { realClock } from '../../mount/real-clock.ts';
import { OwnParts } from '../own/own-parts.ts';
import type { Frame } from '../protocol/run-service.ts';
import { observeCluster } from '../view/index.ts';
import { newRunService } from './service.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('The service of a page', () => {
  test('finds the packet of a request, with the pod that answers it', async () => {
    const service = newRunService({
      reference: components,
      own: new OwnParts(async () => ({})),
      observe: observeCluster,
      clock: realClock,
    });
    const frames: Frame[] = [];
    service.onFrame((frame) => frames.push(frame));
    await service.open({ seed: 1, nodes: 1, actions: [] });
    for (const line of ['create deployment web --image=nginx', 'expose deployment web --port=80'])
      await service.act({ do: 'kubectl', line });
    await service.seek(5_000);
    const number = await service.act({ do: 'request', from: 'node-1', url: 'http://web' });
    const output = frames.flatMap((frame) => frame.output).filter(({ action }) => action === number);
    const [, pod] = /^HTTP 200 from (\S+) on node-1\n/.exec(output[0]?.text ?? '') ?? [];
    expect(pod).toMatch(/^web-/);
    const id = await service.packetOf(number);
    expect(await service.inspect({ kind: 'message', id: id ?? -1 })).toMatchObject({
      fate: `delivered to ${pod} on node-1`,
    });
    expect(await service.packetOf(0)).toBeUndefined();
  });
});
