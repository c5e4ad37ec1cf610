import type { Recipe } from '../protocol/recipe.ts';
import { samples } from '../ui/act/samples.ts';

const manifest = samples[0]?.text ?? '';

/** A run with every kind of action. */
export const eventful: Recipe = {
  seed: 7,
  nodes: 2,
  actions: [
    { atMs: 0, do: 'kubectl', line: 'apply -f -', manifest },
    { atMs: 500, do: 'kubectl', line: 'run shell --image=busybox:1.36 --restart=Never -- sleep 1000' },
    { atMs: 1_500, do: 'fault', fault: { fault: 'cut-watches', process: 'replicaset-controller' } },
    { atMs: 1_500, do: 'kill', process: 'default-scheduler', restartAfterMs: 700 },
    { atMs: 2_000, do: 'heal' },
    { atMs: 8_000, do: 'kubectl', line: 'exec -it shell -- sh' },
    { atMs: 9_000, do: 'type', into: 5, line: `echo "it's here" > /tmp/a` },
    { atMs: 9_500, do: 'type', into: 5 },
    { atMs: 10_000, do: 'request', from: 'laptop', url: 'http://192.168.0.1:30080/' },
    { atMs: 11_000, do: 'fault', fault: { fault: 'node-death', node: 'node-2' } },
    { atMs: 12_000, do: 'kubectl', line: 'set image deployment/web nginx=nginx:1.999' },
    { atMs: 13_000, do: 'kubectl', line: 'rollout status deployment web' },
    { atMs: 14_500, do: 'interrupt', command: 11 },
    { atMs: 15_000, do: 'power-on', node: 'node-2' },
    { atMs: 16_000, do: 'fill-disk', node: 'node-1', percent: 96 },
    { atMs: 17_000, do: 'use', part: 'replicaSetController', version: 'reference' },
    { atMs: 18_000, do: 'fill-disk', node: 'node-1', percent: 0 },
  ],
};
