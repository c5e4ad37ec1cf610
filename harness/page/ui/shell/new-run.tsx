import { useState } from 'preact/hooks';
import { newRecipe } from '../../protocol/recipe.ts';
import { NODES_MAX } from '../../share/new-run.ts';
import { usePage } from '../page-context.ts';
import { texts } from '../texts.ts';

const words = texts.newRun;

/** Begins another run, with another cluster. */
export function NewRun() {
  const { service, report } = usePage();
  const [nodes, setNodes] = useState(newRecipe.nodes);
  const [seed, setSeed] = useState(newRecipe.seed);
  const begin = (event: Event): void => {
    event.preventDefault();
    service
      .open({ nodes, seed, actions: [] })
      .then(() => service.play(1))
      .catch(report);
  };
  return (
    <form class="new-run" onSubmit={begin}>
      <label>
        {words.nodes}{' '}
        <input
          type="number"
          min={1}
          max={NODES_MAX}
          required
          value={nodes}
          onInput={(event) => setNodes(event.currentTarget.valueAsNumber)}
        />
      </label>
      <label>
        {words.seed}{' '}
        <input
          type="number"
          min={0}
          required
          value={seed}
          onInput={(event) => setSeed(event.currentTarget.valueAsNumber)}
        />
      </label>
      <button type="submit">{words.begin}</button>
    </form>
  );
}
