import type { NodeView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { texts } from '../texts.ts';
import { Box } from './box.tsx';
import { ProcessChip } from './component-box.tsx';
import type { Density } from './density.ts';
import type { OwnerMarks } from './owner-marks.ts';
import { PodBox } from './pod-box.tsx';
import { countWords } from './pod-mark.ts';
import { briefTaints } from './taint-words.ts';

/** Properties of a node. */
export interface NodeBoxProps {
  readonly node: NodeView;
  readonly density: Density;
  readonly marks: OwnerMarks;
}

/** A node: its processes on its upper edge, its name and state, and its pods. */
export const NodeBox = memo(({ node, density, marks }: NodeBoxProps) => {
  const { isBrief } = density;
  const states = statesOf(node);
  const isWell = states.length === 0;
  const shown =
    node.pods.length > density.podsMax ? node.pods.slice(0, Math.max(0, density.podsMax - 1)) : node.pods;
  const facts = [
    isWell ? texts.node.ready : states.join(', '),
    texts.node.disk(node.diskUsedPercent),
    texts.node.pods(node.pods.length),
    countWords(node.pods, isLost(node)),
    ...node.taints.map(texts.node.taint),
  ].filter(Boolean);
  return (
    <section
      class={`node node-${density.pods}${isBrief ? ' is-brief' : ''}${node.isPowered ? '' : ' is-off'}`}
      data-node={node.name}
    >
      <h3 class="node-heading">
        <Box
          place={`node:${node.name}`}
          subject={{ kind: 'node', name: node.name }}
          label={texts.node.label(node.name, facts.join(', '))}
          className={`node-head ${isWell ? '' : 'is-unwell'}`}
        >
          <span class="node-name">{node.name}</span>
          {(!isBrief || !isWell) && (
            <span class={`node-state ${isWell ? 'tone-soft' : 'tone-bad'}`}>
              {isWell ? texts.node.ready : states.join(' · ')}
            </span>
          )}
          {!isBrief && isWell && <span class="node-disk">{texts.node.disk(node.diskUsedPercent)}</span>}
          {isBrief && <span class="node-count">{node.pods.length}</span>}
        </Box>
      </h3>
      <div class="processes">
        {node.components.map((component) => (
          <ProcessChip key={component.name} component={component} node={node.name} isBrief={isBrief} />
        ))}
      </div>
      <div class={`pods pods-${density.pods}`}>
        {shown.map((pod) => {
          const { colour, isOld } = marks.ofPod(pod);
          return (
            <PodBox
              key={pod.uid}
              pod={pod}
              size={density.pods}
              colour={colour ?? -1}
              isOld={isOld}
              isLost={isLost(node)}
            />
          );
        })}
        {shown.length < node.pods.length && (
          <span class="pods-more">{texts.node.more(node.pods.length - shown.length)}</span>
        )}
      </div>
      {!isBrief && <Taints taints={node.taints} />}
    </section>
  );
}, 'NodeBox');

/** The taints of a node, below its pods. The label of the node lists them in full. */
function Taints({ taints }: { readonly taints: readonly string[] }) {
  if (taints.length === 0) return null;
  return (
    <span class="taints tone-warn" title={taints.join('\n')}>
      {texts.node.taint(briefTaints(taints).join(', '))}
    </span>
  );
}

/** Whether the API does not know what a node does. */
const isLost = ({ ready }: NodeView): boolean => ready === 'Unknown';

/** What is wrong with a node, in words; empty if nothing is. */
function statesOf(node: NodeView): readonly string[] {
  const words = texts.node;
  return [
    !node.isPowered && words.off,
    node.isPartitioned && words.partitioned,
    node.ready !== 'True' && words.notReady,
    node.isCordoned && words.cordoned,
    ...node.pressures,
  ].filter((one) => one !== false);
}
