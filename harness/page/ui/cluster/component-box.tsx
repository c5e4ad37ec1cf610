import type { ComponentView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { texts } from '../texts.ts';
import { Box } from './box.tsx';
import { briefLag, briefName, labelOfComponent, needsAttention, wordsOf } from './component-words.ts';

/** Properties of a component. */
export interface ComponentBoxProps {
  readonly component: ComponentView;
  /** Whether it has one line: its name, and its state only if it is not calm. */
  readonly isMinor: boolean;
  /** Whether it survived an error a short time ago. */
  readonly hasErred: boolean;
}

/** A component of the control plane: its name, whose code it is, its queue and its caches. */
export const ComponentBox = memo(({ component, isMinor, hasErred }: ComponentBoxProps) => {
  const { text, tone } = wordsOf(component);
  const { name, owner, state } = component;
  return (
    <Box
      place={`process:${name}`}
      subject={{ kind: 'component', name }}
      label={labelOfComponent(component)}
      className={`component is-${state.replace(' ', '-')}${isMinor ? ' is-minor' : ''}`}
    >
      <span class="component-name">
        <span class="component-word">{isMinor ? briefName(name) : name}</span>
        {owner === 'yours' && <span class="tag">{texts.component.yours}</span>}
        {hasErred && state === 'running' && <span class="tag tag-bad">!</span>}
      </span>
      {(!isMinor || tone !== 'soft') && <span class={`component-line tone-${tone}`}>{text}</span>}
    </Box>
  );
}, 'ComponentBox');

/** A process of a node: a chip with its name, and how far it is behind. */
export const ProcessChip = memo(
  ({
    component,
    node,
    isBrief,
  }: {
    readonly component: ComponentView;
    readonly node: string;
    readonly isBrief: boolean;
  }) => {
    const role = component.name.replace(`-${node}`, '');
    const { tone } = wordsOf(component);
    const isCalm = component.state === 'running' && !needsAttention(component.lag);
    return (
      <Box
        place={`process:${component.name}`}
        subject={{ kind: 'component', name: component.name }}
        label={labelOfComponent(component)}
        className={`process is-${component.state.replace(' ', '-')} tone-${isCalm ? 'soft' : tone}`}
      >
        {isBrief ? (
          <span class="process-initial">{isCalm ? '' : '!'}</span>
        ) : (
          <>
            <span class="process-name">{role.replace('kube-', '')}</span>
            {component.owner === 'yours' && <span class="tag">{texts.component.yours}</span>}
            {!isCalm && (
              <span class="process-state">{component.state === 'running' ? briefLag(component) : '×'}</span>
            )}
          </>
        )}
      </Box>
    );
  },
  'ProcessChip',
);
