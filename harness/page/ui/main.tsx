import { wrap } from 'comlink';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageWorker } from '../worker.ts';

const worker = wrap<PageWorker>(
  new Worker(new URL('../worker.ts', import.meta.url), { type: 'module', name: 'cluster' }),
);

function Page() {
  const [nodes, setNodes] = useState<readonly string[]>();
  useEffect(() => {
    void worker.start().then(setNodes);
  }, []);
  return (
    <p role="status">{nodes ? `The cluster is ready: ${nodes.join(', ')}.` : 'The cluster is starting.'}</p>
  );
}

render(<Page />, document.getElementById('page') as HTMLElement);
