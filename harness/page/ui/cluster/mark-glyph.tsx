import type { MarkShape, Tone } from './pod-mark.ts';

/** Draws the shape of a status, 12 px wide. It is decoration: the box says the status in words. */
export function MarkGlyph({ shape, tone }: { readonly shape: MarkShape; readonly tone: Tone }) {
  return (
    <svg class={`glyph tone-${tone}`} viewBox="0 0 12 12" aria-hidden="true">
      {paths[shape]}
    </svg>
  );
}

const paths: Readonly<Record<MarkShape, preact.JSX.Element>> = {
  disc: <circle cx="6" cy="6" r="4.2" fill="currentColor" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M6 1.8a4.2 4.2 0 0 0 0 8.4z" fill="currentColor" />
    </>
  ),
  ring: <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" stroke-width="1.4" />,
  dashed: (
    <circle
      cx="6"
      cy="6"
      r="4.2"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-dasharray="2.2 2.2"
    />
  ),
  cross: <path d="M2 2l8 8M10 2l-8 8" stroke="currentColor" stroke-width="2.2" fill="none" />,
  check: <path d="M2 6.5l2.8 2.8L10 3.4" stroke="currentColor" stroke-width="1.6" fill="none" />,
  minus: <path d="M1.5 6h9" stroke="currentColor" stroke-width="2.4" fill="none" />,
  question: (
    <path
      d="M3.6 4.2a2.4 2.4 0 1 1 3.6 2.2c-.9.5-1.2.9-1.2 1.7M6 9.4v1.4"
      stroke="currentColor"
      stroke-width="1.5"
      fill="none"
    />
  ),
};
