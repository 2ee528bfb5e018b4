# The directory is moved away and replaced by another that a third user owns and that everybody may write to.
mv "${1%/*}" "${1%/*}.away"
ln -s /home/third/open "${1%/*}"
