import type { Recipe } from '../protocol/recipe.ts';
import { samples } from '../ui/act/samples.ts';

const manifest = samples[0]?.text ?? '';

/** A run with every kind of action. */
export const eventful: Recipe = {
  seed: 7,
  nodes: 3,
  actions: [
    { atMs: 0, do: 'kubectl', line: 'apply -f -', manifest },
    { atMs: 1_500, do: 'fault', fault: { fault: 'cut-watches', process: 'replicaset-controller' } },
    { atMs: 1_500, do: 'kill', process: 'default-scheduler', restartAfterMs: 700 },
    { atMs: 2_000, do: 'heal' },
    { atMs: 8_000, do: 'kubectl', line: 'rollout status deployment web --watch' },
    { atMs: 12_000, do: 'kubectl', line: 'run shell --image=busybox:1.36 --restart=Never -- sleep 1000' },
    { atMs: 20_000, do: 'kubectl', line: 'exec -it shell -- sh' },
    { atMs: 21_000, do: 'type', into: 6, line: `echo 'it\\'s "here"' > /tmp/a` },
    { atMs: 22_000, do: 'type', into: 6 },
    { atMs: 23_000, do: 'fault', fault: { fault: 'node-death', node: 'node-2' } },
    { atMs: 24_000, do: 'request', from: 'laptop', url: 'http://192.168.0.1:30080/' },
    { atMs: 24_000, do: 'kubectl', line: 'set image deployment/web nginx=nginx:1.999' },
    { atMs: 25_000, do: 'kubectl', line: 'rollout status deployment web' },
    { atMs: 27_500, do: 'interrupt', command: 12 },
    { atMs: 28_000, do: 'power-on', node: 'node-2' },
    { atMs: 29_000, do: 'fill-disk', node: 'node-3', percent: 96 },
    { atMs: 30_000, do: 'use', part: 'replicaSetController', version: 'reference' },
    { atMs: 31_000, do: 'fill-disk', node: 'node-3', percent: 0 },
  ],
};
