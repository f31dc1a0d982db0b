/** Dragging a drawn piece: the piece is lifted into a layer above the page, and places say by `data-drop` what they are. */

export interface Dragging {
  /** Whether this piece may be lifted now. */
  start(): boolean
  over(place: string | null): void
  drop(place: string | null): void
  /** The drawing that is lifted, if it is not within the node itself. */
  piece?(): Element | null
}

const SLACK = 6

export function draggable(node: HTMLElement | SVGElement, dragging: Dragging) {
  let current = dragging
  let from: { x: number; y: number; id: number } | null = null
  let ghost: SVGSVGElement | null = null
  let place: string | null = null

  function down(event: PointerEvent): void {
    if (event.button === 0 && event.isPrimary) from = { x: event.clientX, y: event.clientY, id: event.pointerId }
  }
  function move(event: PointerEvent): void {
    if (!from || event.pointerId !== from.id) return
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
    if (!ghost) {
      if (Math.hypot(dx, dy) < SLACK) return
      if (!current.start()) {
        from = null
        return
      }
      ghost = lift(current.piece?.() ?? node.querySelector('[data-lift]'))
      document.body.append(ghost)
      node.style.opacity = '0.3'
    }
    ghost.style.transform = `translate(${dx}px, ${dy}px)`
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-drop]')?.getAttribute('data-drop') ?? null
    if (found !== place) current.over((place = found))
    event.preventDefault()
  }
  function up(event: PointerEvent): void {
    if (!from || event.pointerId !== from.id) return
    const lifted = ghost !== null
    end()
    if (!lifted) return
    // The click that follows a drag is not a tap.
    const swallow = (click: Event) => {
      click.stopPropagation()
      click.preventDefault()
    }
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50)
    current.drop(event.type === 'pointerup' ? place : null)
    place = null
  }
  function end(): void {
    ghost?.remove()
    ghost = null
    from = null
    node.style.opacity = ''
  }

  node.addEventListener('pointerdown', down as EventListener)
  addEventListener('pointermove', move)
  addEventListener('pointerup', up)
  addEventListener('pointercancel', up)
  return {
    update(next: Dragging) {
      current = next
    },
    destroy() {
      end()
      node.removeEventListener('pointerdown', down as EventListener)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', up)
    },
  }
}

/** A copy of a drawing in a layer over the whole window, exactly over the original. */
function lift(piece: Element | null): SVGSVGElement {
  const drawn = piece as SVGGraphicsElement | null
  const layer = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  Object.assign(layer.style, {
    position: 'fixed',
    inset: '0',
    width: '100vw',
    height: '100vh',
    pointerEvents: 'none',
    zIndex: '50',
    overflow: 'visible',
  })
  layer.setAttribute('aria-hidden', 'true')
  const matrix = drawn?.getScreenCTM()
  if (!drawn || !matrix) return layer
  const copy = drawn.cloneNode(true) as SVGElement
  copy.removeAttribute('transform')
  copy.style.transform = ''
  const group = document.createElementNS('http://www.w3.org/2000/svg', 'g')
  const { a, b, c, d, e, f } = matrix
  group.setAttribute('transform', `matrix(${a} ${b} ${c} ${d} ${e} ${f})`)
  group.append(copy)
  layer.append(group)
  return layer
}
