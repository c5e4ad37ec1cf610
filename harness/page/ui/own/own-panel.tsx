import { useEffect, useState } from 'preact/hooks';
import type { OwnKata } from '../../protocol/own.ts';
import type { Owner } from '../../protocol/view.ts';
import { usePage, useRun } from '../page-context.ts';
import { ownTexts as texts } from './texts.ts';

/** The katas of the workbook, each with a choice between the reference and the learner's file. */
export function OwnPanel() {
  const { service, report } = usePage();
  const [katas, setKatas] = useState<readonly OwnKata[]>();
  const [failure, setFailure] = useState<string>();
  /** The choice that the cluster does not run yet. */
  const [pending, setPending] = useState<{ readonly kata: string; readonly owner: Owner }>();
  // Each use and each reload is an action of the recipe.
  const actions = useRun((state) => state.actions);
  const phase = useRun((state) => state.phase);
  useEffect(() => {
    service.ownKatas().then(setKatas, report);
  }, [service, report, actions, phase, failure]);
  const use = async (kata: string, owner: Owner): Promise<void> => {
    setFailure(undefined);
    setPending({ kata, owner });
    await service.use(kata, owner).catch((error: Error) => setFailure(error.message));
    setKatas(await service.ownKatas());
    setPending(undefined);
  };
  if (katas?.length === 0) return <p class="empty">{texts.none}</p>;
  return (
    <div class="own">
      <p>{texts.intro}</p>
      {failure !== undefined && (
        <p class="own-error" role="alert">
          {'✗ '}
          {failure}
        </p>
      )}
      <table>
        <thead>
          <tr>
            {Object.values(texts.columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {katas?.map((kata) => (
            <OwnRow
              key={kata.kata}
              {...kata}
              isUsed={pending?.kata === kata.kata ? pending.owner === 'yours' : kata.isUsed}
              onUse={(owner) => use(kata.kata, owner).catch(report)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OwnRow({
  kata,
  parts,
  isUsed,
  unwritten,
  isDone,
  version,
  error,
  onUse,
}: OwnKata & { readonly onUse: (owner: Owner) => void }) {
  const owners: readonly Owner[] = ['reference', 'yours'];
  return (
    <tr>
      <th scope="row">{kata}</th>
      <td>{parts.join(', ')}</td>
      <td>
        <fieldset>
          <legend class="sr-only">{texts.choose(kata)}</legend>
          {owners.map((owner) => (
            <label key={owner}>
              <input
                type="radio"
                name={`own-${kata}`}
                checked={isUsed === (owner === 'yours')}
                onChange={() => onUse(owner)}
              />
              {texts[owner]}
            </label>
          ))}
        </fieldset>
      </td>
      <td>
        {error === undefined ? stateOf({ unwritten, isDone }) : `✗ ${error}`}
        {version > 0 && error === undefined && ` · ${texts.state.version(version)}`}
      </td>
    </tr>
  );
}

function stateOf({ unwritten, isDone }: Pick<OwnKata, 'unwritten' | 'isDone'>): string {
  if (unwritten.length > 0) return texts.state.unwritten(unwritten);
  return isDone ? texts.state.done : texts.state.open;
}
