import { usePage, useRun } from '../page-context.ts';
import type { RunState } from '../store.ts';
import { texts } from '../texts.ts';
import { formatTime } from './format-time.ts';
import { momentBefore } from './moment-clusters.ts';
import { formatSpeed, speeds } from './speed.ts';

const words = texts.time;

/** Properties of the transport. */
export interface TransportProps {
  /** The speed that the reader has chosen. */
  readonly speed: number;
  readonly onPlay: () => void;
  readonly onSpeed: (direction: 1 | -1) => void;
}

/** The buttons of time, and the present in figures. */
export function Transport({ speed, onPlay, onSpeed }: TransportProps) {
  const { service, store, report } = usePage();
  const phase = useRun(({ phase }) => phase);
  const isPlaying = phase === 'playing';
  const isStarting = phase === 'starting';
  return (
    <div class="transport">
      <Clock isExact={!isPlaying || speed < 1} />
      <div class="buttons">
        <Button
          label={words.back}
          keys=","
          isOff={isStarting}
          onPress={() => service.seek(momentBefore(store.state.moments, store.state.nowMs)).catch(report)}
        >
          <path d="M4 3v10M13 3L6 8l7 5z" />
        </Button>
        <Button
          label={isPlaying ? words.pause : words.play}
          keys="Space"
          isOff={isStarting}
          isMain
          onPress={onPlay}
        >
          {isPlaying ? <path d="M5 3v10M11 3v10" stroke-width="3" /> : <path d="M4 2.5L13 8l-9 5.5z" />}
        </Button>
        <Button label={words.step} keys="." isOff={isStarting} onPress={() => service.step().catch(report)}>
          <path d="M12 3v10M3 3l7 5-7 5z" />
        </Button>
      </div>
      <div class="buttons speed">
        <Button label={words.slower} keys="−" isOff={speed === speeds[0]} onPress={() => onSpeed(-1)}>
          <path d="M3 8h10" />
        </Button>
        <output class="speed-value" aria-label={words.speed(formatSpeed(speed))}>
          {formatSpeed(speed)}
        </output>
        <Button label={words.faster} keys="+" isOff={speed === speeds.at(-1)} onPress={() => onSpeed(1)}>
          <path d="M3 8h10M8 3v10" />
        </Button>
      </div>
      <Reached speed={speed} />
    </div>
  );
}

/** The present time and revision. */
function Clock({ isExact }: { readonly isExact: boolean }) {
  const nowMs = useRun(({ nowMs }) => Math.floor(nowMs));
  const revision = useRun(({ view }) => view?.revision ?? 0);
  return (
    <div class="clock">
      <time class="clock-time">{formatTime(nowMs, isExact)}</time>
      <span class="clock-revision">{words.revision(revision)}</span>
    </div>
  );
}

/** The state of the run, and the speed if the machine is too slow for the chosen one. */
function Reached({ speed }: { readonly speed: number }) {
  const phase = useRun(({ phase }) => phase);
  // Two digits: the measured speed wavers.
  const reached = useRun((state) =>
    isTooSlow(state, speed) ? Number(state.speed.toPrecision(1)) : undefined,
  );
  return (
    <span class={`run-state is-${phase}`}>
      {words.states[phase]}
      {reached !== undefined && (
        <span class="tone-warn" title={words.reachedLong}>
          {' '}
          {words.reached(formatSpeed(speed), formatSpeed(reached))}
        </span>
      )}
    </span>
  );
}

const isTooSlow = (state: RunState, speed: number): boolean =>
  state.phase === 'playing' && state.speed > 0 && state.speed < 0.8 * speed;

interface ButtonProps {
  readonly label: string;
  readonly keys: string;
  readonly isOff: boolean;
  readonly isMain?: boolean;
  readonly onPress: () => void;
  readonly children: preact.ComponentChildren;
}

function Button({ label, keys, isOff, isMain, onPress, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button${isMain ? ' is-main' : ''}`}
      aria-label={label}
      data-tip={`${label} (${keys})`}
      disabled={isOff}
      onClick={onPress}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {children}
      </svg>
    </button>
  );
}
