// The type under which a kind is dragged from the palette to the canvas.

export const DRAGGED_KIND = 'application/x-casework-node-kind'
