#!/bin/sh
# from-template.sh COMMAND…: fills in the templates of this folder into $DIR, and runs the command. In both, @ stands for
# that folder and PORT for the port; with LIMITER=off, lines that end in "# limiter" go.
chmod 755 "$DIR" # for workers that run as somebody else
for template in *.template; do
  sed -e "$([ "$LIMITER" = off ] && echo '/# limiter$/d')" -e 's/ # limiter$//' -e "s|@|$DIR|g" -e "s|:PORT|:$PORT|g" \
    "$template" > "$DIR/${template%.template}"
done
exec $(echo "$*" | sed -e "s|:PORT|:$PORT|g" -e "s|@|$DIR|g")
